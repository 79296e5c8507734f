from tests.capture.deep.orders import covering
from tests.capture.deep.places import PLACES
from tests.capture.deep.interruptions import INTERRUPTIONS

CASES = covering() | PLACES | INTERRUPTIONS
