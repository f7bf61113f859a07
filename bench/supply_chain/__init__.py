"""Supply chain: what is installed, under which licences, and with which known vulnerabilities."""
