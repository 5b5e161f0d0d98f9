"""What people and programs are told."""
