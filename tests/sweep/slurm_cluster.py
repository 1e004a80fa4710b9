"""A Slurm of one node, started by hand for a test and stopped with it: munged, slurmctld and slurmd, without systemd,
cgroups and accounting. All files are in its own folder, ports are free ones. Needs root, like slurmd."""

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "squeue", "scontrol", "scancel", "sinfo")


def why_not():
    """The reason why no cluster can be started here, or None."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [name for name in DAEMONS + CLIENTS if not shutil.which(name, path=path)]
    if missing:
        return f"not installed: {', '.join(missing)} (Debian's slurm-wlm and munge)"
    if os.geteuid() != 0:
        return "the daemons of Slurm need root"
    return None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.daemons = []
        host = socket.gethostname().split(".")[0]
        self.node = host
        for name in ("munge", "state", "spool", "log"):
            (self.folder / name).mkdir(mode=0o755)
        controller_port, node_port = free_ports(2)
        self.configuration = self.folder / "slurm.conf"
        self.configuration.write_text(
            f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/log/slurmctld.log
SlurmdLogFile={self.folder}/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
MaxArraySize=16
KillWait=1
SchedulerParameters=sched_min_interval=100000,bf_interval=1
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={max(2, os.cpu_count())} State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
        )
        self.environment = {key: value for key, value in os.environ.items() if not re.match("SLURM|SBATCH|SQUEUE", key)}
        self.environment["SLURM_CONF"] = str(self.configuration)
        self.environment["PATH"] += ":/usr/sbin:/sbin"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        munge = self.folder / "munge"
        key = munge / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        # Some builds of munged only run as their own user.
        owner = pwd.getpwnam("munge") if any(user.pw_name == "munge" for user in pwd.getpwall()) else pwd.getpwuid(0)
        for path in (munge, key):
            os.chown(path, owner.pw_uid, owner.pw_gid)
        self.folder.chmod(0o755)
        munged = ["munged", "--foreground", "--force", f"--socket={munge}/socket", f"--key-file={key}",
                  f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed"]
        self.launch(munged, user=owner.pw_uid, group=owner.pw_gid, extra_groups=[])
        self.wait(lambda: (munge / "socket").exists(), "munged")
        self.launch(["slurmctld", "-D", "-f", self.configuration])
        self.wait(lambda: subprocess.run(["scontrol", "ping"], env=self.environment, capture_output=True).returncode == 0,
                  "slurmctld")
        self.launch(["slurmd", "-D", "-N", self.node, "-f", self.configuration])
        self.wait(lambda: self.command("sinfo", "--noheader", "--format=%T").strip() in ("idle", "mixed"), "slurmd")

    def launch(self, words, **keywords):
        log = open(self.folder / "log" / f"{words[0]}.out", "ab")
        self.daemons.append(
            subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment,
                             start_new_session=True, **keywords)
        )
        log.close()

    def wait(self, ready, what):
        end = time.monotonic() + 60
        while not ready():
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise RuntimeError(f"{daemon.args[0]} ended with {daemon.returncode}:\n{self.logs()}")
            if time.monotonic() > end:
                raise RuntimeError(f"{what} does not answer:\n{self.logs()}")
            time.sleep(0.2)

    def logs(self):
        return "\n".join(f"--- {path}\n{path.read_text(errors='replace')[-3000:]}"
                         for path in sorted(self.folder.glob("log/*")) + [self.folder / "munge" / "log"] if path.exists())

    def command(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def stop(self):
        if self.daemons and self.configuration.exists():
            subprocess.run(["scancel", "--user=root"], env=self.environment, capture_output=True, timeout=60)
            end = time.monotonic() + 10
            while self.command("squeue", "--noheader").strip() and time.monotonic() < end:
                time.sleep(0.2)
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        # Remaining daemons of steps are recognised by the configuration's folder.
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and f"SLURM_CONF={self.configuration}".encode() in (entry / "environ").read_bytes():
                    if int(entry.name) != os.getpid() and b"slurmstepd" in (entry / "cmdline").read_bytes():
                        os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                pass
        self.daemons = []
