"""A message bus of D-Bus on which only those programs are that a test starts."""
import os

from .processes import Daemon, can_connect_to
from .waiting import wait_for

# Without folders of services: the bus would start those that are installed, with the user's settings.
CONFIGURATION = """<busconfig><type>session</type><listen>{address}</listen>
<policy context="default"><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
</policy></busconfig>"""


class MessageBus(Daemon):
    """The bus, at an address of its own."""

    def __init__(self, folder):
        super().__init__(folder / "bus.log")
        self.path = folder / "bus"
        self.address = f"unix:path={self.path}"
        self.configuration = folder / "bus.conf"
        self.configuration.write_text(CONFIGURATION.format(address=self.address))

    def start(self, environment=None):
        """Starts it, and again after `kill`."""
        self.launch(["dbus-daemon", f"--config-file={self.configuration}", "--nofork"], environment or dict(os.environ))
        wait_for(lambda: can_connect_to(self.path), 10, "the bus")
        return self
