"""What an action says when it will not do what was asked."""


class Refused(ValueError):
    """Nothing was stored; its text is one plain sentence for the person who asked."""
