"""Tests of the room that measures the referee."""
