import type { Attack, Tally } from './attack.ts';
import { startAttacker } from './attacker.ts';
import { titleOf } from './attacks/table.ts';
import { openNeighbour, openVictim, type Sizes, type Victim } from './inhabitants.ts';
import { median, openScales, type Scales, slowestTenth } from './meter.ts';
import { live, openSecondMailbox, type Suffered } from './victim.ts';
import { openWorld } from './world.ts';

export interface Outcome {
  tally: Tally;
  faults: string[];
  /** The slowest tenth of the victim's calls during the attack. */
  attacked: number;
  /** The same right before it, or in the median of all quiet times so far, whichever is more: other work may disturb both. */
  quiet: number;
}

export interface AttackRun {
  scales: Scales;
  suffer(attack: Attack): Promise<Outcome>;
  close(): Promise<void>;
}

interface Length extends Sizes {
  /** Rounds of the victim's calls in each attack, and in each quiet time between. */
  passes: number;
  quietPasses: number;
  /** Rounds before the quiet size is measured, because the memory of ordinary calls is no effect of an attack. */
  warmPasses: number;
}

const WARM_AT_ONCE = 16;
const WEIGH_MS = 200;

/** Attackers and victims around one set of services, for as long as it is open. */
export async function openAttackRun(uri: string, length: Length): Promise<AttackRun> {
  const world = await openWorld(uri);
  const victims = await Promise.all(Array.from({ length: length.victims }, () => openVictim(world)));
  const [spender, ...neighbours] = await Promise.all(
    Array.from({ length: length.neighbours + 1 }, () => openNeighbour(world, length)),
  );
  const [first] = victims as [Victim];
  if (!spender) throw new Error('there is one more than was asked for');
  const attacker = startAttacker({
    baseUrl: world.baseUrl,
    mailboxWrite: world.mailboxWrite,
    neighbours,
    spender,
    victim: { workspaceId: first.workspace.id, mailboxId: first.secondMailboxId },
  });
  const scales = openScales(world.processes);
  await Promise.all(Array.from({ length: WARM_AT_ONCE }, () => live(victims, length.warmPasses)));
  await scales.setQuiet();

  const quiet: number[] = [];
  const beQuiet = async () => {
    const now = slowestTenth((await live(victims, length.quietPasses)).millis);
    quiet.push(now);
    return now;
  };
  const suffer = async (attack: Attack): Promise<Outcome> => {
    const before = await beQuiet();
    attacker.begin(attack);
    const suffered = await weighing(scales, titleOf(attack), () => live(victims, length.passes));
    const tally = await attacker.end();
    const opened = attack.who === 'sender' ? await openSecondMailbox(first) : [];
    const faults = [...suffered.faults, ...opened, ...tally.faults.map((fault) => `the attacker: ${fault}`)];
    return { tally, faults, attacked: slowestTenth(suffered.millis), quiet: Math.max(before, median(quiet)) };
  };
  const close = async () => {
    await attacker.close();
    await world.close();
  };
  return { scales, suffer, close };
}

async function weighing(scales: Scales, during: string, work: () => Promise<Suffered>): Promise<Suffered> {
  const timer = setInterval(() => void scales.weigh(during), WEIGH_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await scales.weigh(during);
  }
}
