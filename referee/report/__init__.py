"""What people and programs are told: words, JSON, and one page with the evidence."""
