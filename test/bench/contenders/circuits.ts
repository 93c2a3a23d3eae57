import { ConsecutiveBreaker, circuitBreaker, handleAll, timeout, TimeoutStrategy, wrap } from 'cockatiel';
import { createCircuitBreaker } from '@postroom/runtime/circuit-breaker';
import { systemClock } from '@postroom/runtime/clock';

/** A circuit breaker. The first failure or 250 ms without an answer opens it, and it tries again after 250 ms. */
export interface CircuitContender {
  name: string;
  run<T>(call: () => Promise<T>): Promise<T>;
  isOpen(): boolean;
  stop(): void;
}

const LIMIT_MS = 250;

export function ownCircuit(name: string, probe: () => Promise<void>): CircuitContender {
  const quiet = () => undefined;
  const circuit = createCircuitBreaker({ clock: systemClock, probe, onOpen: quiet, onClose: quiet });
  return { name, ...circuit };
}

/** Breaker and timeout, combined as in cockatiel's guide. It has no probe: a caller's own call tests the server. */
export function cockatielCircuit(): CircuitContender {
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: LIMIT_MS, breaker: new ConsecutiveBreaker(1) });
  const policy = wrap(breaker, timeout(LIMIT_MS, TimeoutStrategy.Aggressive));
  return {
    name: 'cockatiel',
    run: (call) => policy.execute(call),
    // Its states: 0 is closed.
    isOpen: () => breaker.state !== 0,
    stop: () => undefined,
  };
}
