"""Operations: backup, restore, integrity check, data folder, supervision of processes."""
