# SPDX-License-Identifier: Apache-2.0
"""Two hosts, as network namespaces: runs across them, and what is said when the network or a host goes away in mid-run."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

HOSTS = [tool.SUPPORT / "hosts_as_namespaces.sh"]
MPIRUN = ["mpirun", "--host", "host1,host2", "-np", "2"]
SOME_ROWS = 3
TIMEOUT = 4


@tool.needs_mpi
class Hosts(tool.ToolTest):
    def run_on_hosts(self, *command, fault=None, timeout=90):
        fault = ["--fault", fault] if fault else []
        done = tool.run([*HOSTS, *fault, *command], timeout=timeout)
        if done.status == 77:
            self.skipTest(done.err.strip().splitlines()[-1])
        return done

    def run_until(self, fault):
        """A long run across both hosts that meets this fault after some rows."""
        self.json = self.dir / "o.json"
        self.when = self.dir / "when"
        rows = f"grep -cs '\"bytes_requested\"' {self.json}"
        wait = f'until n=$({rows}); [ "${{n:-0}}" -ge {SOME_ROWS} ]; do sleep 0.1; done; touch {self.when}; '
        return self.run_on_hosts(*MPIRUN, tool.BENCH, *tool.LONG, "--timeout", TIMEOUT, "--json", self.json, fault=wait + fault)

    def assert_kept(self):
        document = tool.read_json(self.json)
        self.assertIs(document["complete"], False)
        self.assertGreaterEqual(len(document["results"]), SOME_ROWS)

    def test_two_hosts(self):
        done = self.run_on_hosts(*MPIRUN, tool.BENCH, *tool.SHORT, "--json", "-")
        self.assert_status(done, 0)
        ranks = tool.strict_json(done.out)["context"]["ranks"]
        self.assertEqual([(entry["host"], entry["local_rank"]) for entry in ranks], [("host1", 0), ("host2", 0)])

    def test_started_by_hand(self):
        done = self.run_on_hosts(tool.BENCH, *tool.SHORT, "--hosts", "host1,host2", "--json", "-")
        self.assert_status(done, 0)
        self.assertEqual([entry["host"] for entry in tool.strict_json(done.out)["context"]["ranks"]], ["host1", "host2"])

    def test_two_hosts_of_one_name(self):
        """Hosts are told apart by more than their names."""
        done = self.run_on_hosts(*MPIRUN, "sh", "-c", f"hostname twin; exec {tool.BENCH} {' '.join(tool.SHORT)} --json -")
        self.assert_status(done, 0)
        self.assertEqual([entry["local_rank"] for entry in tool.strict_json(done.out)["context"]["ranks"]], [0, 0])

    def test_network_cut(self):
        done = self.run_until("on host2 ip link set eth0 down")
        self.assert_status(done, 5)
        self.assertGreater(time.time() - self.when.stat().st_mtime, TIMEOUT - 1, "sooner than the silence that was allowed")
        self.assertRegex(done.err, rf"no answer for {TIMEOUT} s in .*rank [01], host[12]", "who waited, and in what")
        self.assert_kept()

    def test_slow_network_is_no_fault(self):
        done = self.run_on_hosts("sh", "-c", f"sleep 0.2; {' '.join(MPIRUN)} {tool.BENCH} {' '.join(tool.SHORT)} --json -",
                                 fault="on host2 tc qdisc add dev eth0 root netem delay 20ms || touch " + str(self.dir / "no-netem"))
        if (self.dir / "no-netem").exists():
            self.skipTest("the kernel has no netem")
        self.assert_status(done, 0)
        for row in tool.strict_json(done.out)["results"]:
            self.assertGreater(row["time_s"]["median"], 0.02, "a call crosses the delayed network at least once")

    def test_rank_killed_on_the_other_host(self):
        done = self.run_until("kill -9 $(pids_on host2 all_reduce_bench)")
        self.assertNotIn(done.status, (0, 5), done)
        self.assertIn("host2", done.err + done.out)
        self.assert_kept()

    def test_other_host_powered_off(self):
        done = self.run_until("power_off host2")
        self.assertNotEqual(done.status, 0, done)
        self.assertIn("host2", done.err + done.out)
        self.assert_kept()

    def test_rank_stopped_on_the_other_host(self):
        done = self.run_until("kill -STOP $(pids_on host2 all_reduce_bench)")
        self.assert_status(done, 5)
        self.assert_kept()


if __name__ == "__main__":
    tool.main()
