"""The parts of scripts/accuracy: arithmetic, reading, goals, pages and plots."""
