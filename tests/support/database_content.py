"""What results databases hold, apart from the host that made them."""

HOST_TABLES = {"run_host", "launch_host"}  # of the host, not of the simulation


def rows_by_table(connection):
    """All rows as sorted texts, by table in the order of the names."""
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return {
        table: sorted(str(row) for row in connection.execute(f'SELECT * FROM "{table}"'))
        for table in tables
        if table not in HOST_TABLES
    }
