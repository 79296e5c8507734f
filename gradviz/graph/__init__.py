"""Results of the capture stage: the backward graph as plain data. The only part of gradviz that uses networkx."""

from gradviz.graph.facts import Argument as Argument
from gradviz.graph.facts import DeadEnd as DeadEnd
from gradviz.graph.facts import Edge as Edge
from gradviz.graph.facts import Hook as Hook
from gradviz.graph.facts import HookKind as HookKind
from gradviz.graph.facts import Leaf as Leaf
from gradviz.graph.facts import Node as Node
from gradviz.graph.facts import NodeKind as NodeKind
from gradviz.graph.facts import Root as Root
from gradviz.graph.facts import Saved as Saved
from gradviz.graph.facts import SavedState as SavedState
from gradviz.graph.facts import TensorMeta as TensorMeta
from gradviz.graph.graph import Graph as Graph
