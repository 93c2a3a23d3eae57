{{/* The three development engines: one node each, on disks that go with the pod. */}}
{{- define "postroom.devEngines" -}}
{{- $fullname := include "postroom.fullname" . -}}
mongodb:
  port: 27017
  user: 999
  data: /data/db
  memory: 1Gi
  args: [mongod, --replSet, rs0, --bind_ip_all, --wiredTigerCacheSizeGB, '0.25']
  ready:
    # The first probe makes the replica set; ready means that it takes writes.
    exec:
      command:
        - mongosh
        - --quiet
        - --eval
        - >-
          try { rs.status() } catch (none) { rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: '{{ $fullname }}-mongodb:27017' }] }) }
          quit(db.hello().isWritablePrimary ? 0 : 1)
    periodSeconds: 10
    timeoutSeconds: 10
    failureThreshold: 6
redis:
  port: 6379
  user: 999
  data: /data
  memory: 64Mi
  args: [valkey-server, --save, '', --appendonly, 'no', --maxmemory-policy, noeviction]
  ready: { exec: { command: [valkey-cli, ping] }, periodSeconds: 5 }
kafka:
  port: 9092
  user: 1000
  data: /var/lib/kafka/data
  memory: 1Gi
  ready: { tcpSocket: { port: engine }, periodSeconds: 5 }
  env:
    KAFKA_NODE_ID: '1'
    KAFKA_PROCESS_ROLES: broker,controller
    KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
    KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://{{ $fullname }}-kafka:9092
    KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
    KAFKA_CONTROLLER_QUORUM_VOTERS: 1@localhost:9093
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
    KAFKA_LOG_DIRS: /var/lib/kafka/data
    KAFKA_HEAP_OPTS: -Xms256m -Xmx512m
    # One node: one copy of what Kafka keeps for itself. Topics are made by the services, never by a misspelt name.
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1'
    KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1'
    KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1'
    KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: '1'
    KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: '1'
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0'
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false'
{{- end }}
