import type { ChannelOptions } from '@grpc/grpc-js';
import type { GenericDefinition } from './definition.ts';

/** A batch of raw mail or a thread with its bodies is the largest message there is. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * For both ends. Channelz, gRPC's books of every connection, stays on: without it a server forgets its connections, and
 * one that is cut off at the end of its drain leaves them standing, with callers who wait there until their deadline.
 */
export const CONNECTION: ChannelOptions = {
  // A client that vanished without a word is noticed within 40 s.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
};

export function channelOptions(definition: GenericDefinition): ChannelOptions {
  return {
    ...CONNECTION,
    // A server that vanished without a word is noticed within 12 s. Calls that are broken off then are over, or nearly.
    'grpc.keepalive_time_ms': 4_000,
    'grpc.keepalive_timeout_ms': 8_000,
    // A page of a hundred emails outgrows the 64 KB default and would wait for a round trip in mid-answer.
    'grpc-node.flow_control_window': 1024 * 1024,
    // A restarted peer is tried again soon, and an unavailable one does not cost much.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
    'grpc.service_config': JSON.stringify(serviceConfig(definition)),
    // The balancing is ours to choose; a record in DNS must not change it.
    'grpc.service_config_disable_resolution': 1,
  };
}

// gRPC itself repeats calls that never reached a handler. Any other repeat is only for methods without side effects.
function serviceConfig({ fullName, methods }: GenericDefinition) {
  const repeatable = Object.values(methods).filter(({ options }) => options.idempotencyLevel === 'NO_SIDE_EFFECTS');
  const retryPolicy = {
    maxAttempts: 3,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 3,
    // A server that is cut off in mid-call resets its calls as if they had been cancelled.
    retryableStatusCodes: ['UNAVAILABLE', 'CANCELLED'],
  };
  const name = repeatable.map((method) => ({ service: fullName, method: method.name }));
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: name.length > 0 ? [{ name, retryPolicy }] : [],
  };
}
