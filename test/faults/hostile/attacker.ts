import { type ChildProcess, fork } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { openGround, type Attack, type Tally, type Target } from './attack.ts';
import { attacks, titleOf } from './attacks/table.ts';

/** An attacker in a process of its own, so that its work is not taken for the slowness of others. */
interface Attacker {
  begin(attack: Attack): void;
  end(): Promise<Tally>;
  close(): Promise<void>;
}

type Order = { target: Target } | { begin: string } | { end: true };

/** A real attacker has its own machine; here it only gets the processor time that the services leave. */
const NICENESS = 10;
/** The steps that an attack has begun may take this long to end. */
const END_MS = 5_000;

export function startAttacker(target: Target): Attacker {
  const child: ChildProcess = fork(__filename, {
    execArgv: ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register')],
    env: { ...process.env, HOSTILE_ATTACKER: 'yes' },
  });
  const give = (order: Order) => void child.send(order);
  give({ target });
  return {
    begin: (attack) => give({ begin: titleOf(attack) }),
    end: async () => {
      const told = once(child, 'message');
      give({ end: true });
      const [tally] = (await told) as [Tally];
      return tally;
    },
    close: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function obey(): void {
  setPriority(NICENESS);
  let target: Target;
  let running: { end(): Promise<Tally> } | undefined;
  process.on('message', (order: Order) => {
    if ('target' in order) target = order.target;
    else if ('begin' in order) running = attackUntilTold(target, order.begin);
    else void running?.end().then((tally) => process.send?.(tally));
  });
  process.on('disconnect', () => process.exit(0));
}

function attackUntilTold(target: Target, title: string) {
  const over = new AbortController();
  // Every connection of an attack listens for its end.
  setMaxListeners(0, over.signal);
  const ground = openGround(over.signal);
  const attack = attacks.find((one) => titleOf(one) === title);
  const work = attack?.run(target, ground).catch((error: Error) => ground.tally.faults.push(error.message));
  return {
    end: async () => {
      over.abort();
      await Promise.race([work, pause(END_MS, undefined, { ref: false })]);
      return ground.tally;
    },
  };
}

if (process.env.HOSTILE_ATTACKER === 'yes') obey();
