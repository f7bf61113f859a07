# Earshot in a container: a Hugging Face Space (sdk: docker), or any machine that runs images.
FROM python:3.11-slim-bookworm

WORKDIR /app

# Packages first: this layer is reused until the lock changes.
COPY requirements.lock ./
RUN pip install --no-cache-dir --disable-pip-version-check uv==0.13.8 \
    && uv pip install --system --no-cache --compile-bytecode --require-hashes --requirement requirements.lock

# The code belongs to root and is compiled here, because the server cannot write to it. Only data/ belongs to the server.
COPY . ./
RUN python -m compileall -q app.py command_line.py db evaluation leaderboard settings submissions \
    && useradd --uid 1000 --create-home earshot \
    && install --directory --owner 1000 --mode 0700 data

USER 1000
ENV EARSHOT_HOST=0.0.0.0 PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
EXPOSE 7860

# The first start renders questions, so it takes longer than later ones.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:7860/healthz', timeout=4)"]

CMD ["python", "app.py"]
