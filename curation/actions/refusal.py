"""What an action says when it will not do what was asked."""


class Refused(ValueError):
    """Nothing was stored; its text is one plain sentence for the person who asked."""


def is_ours(fault: Exception) -> bool:
    """Whether it is a refusal of our own, whose text is a sentence for whoever asked."""
    return isinstance(fault, ValueError) and type(fault).__module__.startswith(("curation.", "judging."))
