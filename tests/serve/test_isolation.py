"""Many at once: each private environment holds what its client did, and memory stays small."""

import asyncio
import subprocess
import sys

import pytest

pytest.importorskip("fastmcp")

from davinci_env.serve.source import DomainSource
from tests.serve.house import House, house
from tests.serve.random_calls import Call, random_calls

CLIENTS = 100
CALLS = 12
TOKENS = ("alpha", "beta", "gamma", "delta")


def test_100_clients_at_once_each_end_in_the_state_their_own_calls_imply() -> None:
    source = DomainSource.of("library_lending")
    plans: list[list[Call]] = []
    implied: list[str] = []
    for number in range(CLIENTS):
        alone = source.open()
        plans.append([])
        for tool, arguments in random_calls(alone, seed=number, n=CALLS):
            alone.call(tool, arguments)
            plans[-1].append((tool, arguments))
        implied.append(alone.capture().state_hash)
        alone.close()
    assert len(set(implied)) > CLIENTS / 2, "the plans are too alike to show isolation"

    async def work(home: House, number: int) -> str:
        token = TOKENS[number % len(TOKENS)]
        env_id = await home.new_environment(token)
        mode = "auto" if number % 2 else "legacy"
        async with home.client(token, env_id, mode=mode) as client:
            for tool, arguments in plans[number]:
                await client.call_tool_mcp(tool, arguments)
        captured = await home.operator.get(f"/environments/{env_id}/capture")
        state_hash: str = captured.json()["state_hash"]
        return state_hash

    async def act() -> list[str]:
        async with house(source, tokens=TOKENS) as home:
            return await asyncio.gather(*(work(home, number) for number in range(CLIENTS)))

    ended = asyncio.run(act())
    right = sum(found == wanted for found, wanted in zip(ended, implied, strict=True))
    assert right == CLIENTS


_THOUSAND = """
from davinci_env.serve.leases import Leases
from davinci_env.serve.service import Service
from davinci_env.serve.source import DomainSource
from tests.serve.random_calls import random_calls

source = DomainSource.of("library_lending")
drawn_from = source.open()
plans = [list(random_calls(drawn_from, seed=number, n=8)) for number in range(1000)]
drawn_from.close()
leases = Leases(source, clock=lambda: 0.0, max_environments=1000)
for plan in plans:
    environment = leases.environment(leases.create("owner"))
    for tool, arguments in plan:
        environment.call(tool, arguments)
assert sum(lease.live is not None for lease in leases) == 1000
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmRSS")))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_1000_live_environments_fit_in_500_mib() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _THOUSAND], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    resident_mib = int(done.stdout) / 1024
    print(f"1,000 live environments: {resident_mib:.0f} MiB resident")
    assert resident_mib < 500
