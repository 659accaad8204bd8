// Mosquitto's client library, for MQTT.
#pragma once
#include <mosquitto.h>
