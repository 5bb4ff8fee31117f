"""What a measure says of figures it cannot measure."""


class MeasureRefused(ValueError):
    """The figures given to a measure contradict each other; its text is one sentence."""
