"""Games of a tournament on the nodes of a Slurm cluster, by Parsl.

  daide-server tournament run cup --executor slurm:executor

Copy this file into the folder of the tournament and set partition, cores and times.
The run itself needs few resources: start it on the login node, or in a separate job.
"""

from concurrent.futures import Executor

from parsl import Config
from parsl.concurrent import ParslPoolExecutor
from parsl.executors import HighThroughputExecutor
from parsl.launchers import SrunLauncher
from parsl.providers import SlurmProvider

config = Config(
    executors=[
        HighThroughputExecutor(
            label="games",
            # Games at the same time on a node: about one for each core.
            max_workers_per_node=16,
            provider=SlurmProvider(
                partition="compute",
                nodes_per_block=1,
                cores_per_node=16,
                # The maximum number of jobs; Parsl starts and ends them as needed.
                init_blocks=1,
                max_blocks=8,
                walltime="04:00:00",
                launcher=SrunLauncher(),
                # Commands after which `python -m daide_server` works on a node.
                worker_init="source $HOME/daide/bin/activate",
            ),
        )
    ],
    # A game whose node has failed is repeated on another one.
    retries=3,
    usage_tracking=0,
)


def executor() -> Executor:
    """Return the executor that runs the games."""
    return ParslPoolExecutor(config)
