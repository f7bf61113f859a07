"""Operations: maintainers' actions, backup, restore, integrity check, data folder, supervision of processes."""
