import { ConsecutiveBreaker, circuitBreaker, handleAll, timeout, TimeoutStrategy, wrap } from 'cockatiel';
import { createCircuitBreaker } from '@postroom/runtime/circuit-breaker';
import { systemClock } from '@postroom/runtime/clock';

/** What stands before a server that may go away: opened by the first failure or by 250 ms of silence, asked again every 250 ms. */
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

/** As its guide puts the two together; a call of a caller's own is what asks again. */
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
