"""The words of a picture: labels, badges and tooltips."""
