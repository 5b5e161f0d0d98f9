"""What the page remembers: rows in a database, pictures in a folder or in object storage."""
