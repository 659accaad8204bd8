// Mosquitto's client library, for MQTT.
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
