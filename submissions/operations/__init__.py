"""Operations: maintainers' actions, backup, restore, integrity check, data folder, process supervision."""
