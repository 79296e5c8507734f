from tests.capture.deep.orders import covering
from tests.capture.deep.places import PLACES
CASES = covering() | PLACES
