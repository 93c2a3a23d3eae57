import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { skipAloud } from '../../support/skips.ts';
import type { TestStack } from '../../support/stack.ts';
import { brokenData, brokenEvents, missingInFeed } from './audit.ts';
import { type Control, type Fault, undoing } from './engines-control.ts';
import { type MixedLoad, startMixedLoad } from './mixed-load.ts';
import type { Witness } from './witness.ts';

export interface World {
  stack: TestStack;
  witness: Witness;
  control: Control;
  close(): Promise<void>;
}

interface Outages {
  /** As the line of the outcome names it. */
  engine: string;
  promise: string;
  /** Whether callers may see errors meanwhile. */
  isNoticed: boolean;
  /** Some servers keep no data after they stop. The test then reports this, and does not fail. */
  mayForget: boolean;
  seconds: Record<Fault, number>;
  open(): Promise<World>;
}

const FAULTS: readonly Fault[] = ['pause', 'stop', 'kill'];
const RECOVERY_MS = 15_000;
const QUIET_MS = 1_500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes the engine down in each way and brings it back, under one load that never stops. */
export function itOutlives({ engine, promise, isNoticed, mayForget, seconds, open }: Outages): void {
  let world: World;
  let load: MixedLoad;
  let hasForgotten = false;
  beforeAll(async () => {
    world = await open();
    load = await startMixedLoad(world.stack);
  }, 120_000);
  afterAll(async () => {
    await load?.stop();
    await world?.close();
  }, 60_000);

  it.each(FAULTS)(
    '%s: every answer is in the contract, nothing acknowledged is lost, and errors end after its return',
    async (fault) => {
      const begun = { answers: load.seen.length, outside: load.outsideContract.length };
      let recoveredMs = 0;
      if (!hasForgotten) {
        await world.control(fault);
        await pause(1_000 * seconds[fault]);
        await world.control(undoing[fault]);
        recoveredMs = await recovery(load, world.witness);
        hasForgotten = mayForget && (await keepsNothing(world.stack));
      }
      if (hasForgotten) return skipAloud(`${engine} ${fault} under load: this server keeps nothing over its end`);

      const answers = load.seen.slice(begun.answers);
      const outside = load.outsideContract.slice(begun.outside);
      const { promised, lost } = await audit(load, world.witness);
      const errors = answers.flatMap(({ code }) => code ?? []);
      const isKept = outside.length === 0 && lost.length === 0 && recoveredMs <= RECOVERY_MS;
      process.stdout.write(
        `${promise} ${isKept ? 'PASS' : 'FAIL'} engine=${engine} fault=${fault} answers=${answers.length} ` +
          `errors=${tally(errors)} outside_contract=${outside.length} acknowledged=${promised} lost=${lost.length} ` +
          `recovered_ms=${recoveredMs}\n`,
      );
      expect({ outside, lost }).toEqual({ outside: [], lost: [] });
      expect(recoveredMs).toBeLessThanOrEqual(RECOVERY_MS);
      if (!isNoticed) expect(errors).toEqual([]);
    },
    120_000,
  );
}

/** `INTERNAL_ERROR:12,QUERY_TIMEOUT:3`, or 0. */
const tally = (codes: readonly string[]): string =>
  [...new Set(codes)].map((code) => `${code}:${codes.filter((other) => other === code).length}`).join(',') || '0';

async function audit(load: MixedLoad, witness: Witness): Promise<{ promised: number; lost: string[] }> {
  const promises = [...load.promises];
  // The event of a recent promise may still be on its way.
  const end = performance.now() + RECOVERY_MS;
  while (brokenEvents(promises, witness).length > 0 && performance.now() < end) await pause(100);
  let untold = await missingInFeed(promises);
  while (untold.length > 0 && performance.now() < end) {
    await pause(100);
    untold = await missingInFeed(promises);
  }
  // A promise that the load itself took back meanwhile is not lost.
  const gone = (await brokenData(promises)).filter((promise) => load.promises.includes(promise));
  const lost = [...gone.map(({ kind, id }) => `${kind} ${id}`), ...brokenEvents(promises, witness), ...untold];
  return { promised: promises.length, lost };
}

/** The time from the engine's return to the last trouble: an error, or a missing event. */
async function recovery(load: MixedLoad, witness: Witness): Promise<number> {
  const back = performance.now();
  const promised = [...load.promises];
  let pendingUntil = back;
  for (;;) {
    const now = performance.now();
    if (brokenEvents(promised, witness).length > 0) pendingUntil = now;
    const lastError = load.seen.findLast(({ code }) => code !== undefined)?.at ?? 0;
    const trouble = Math.max(back, pendingUntil, lastError);
    if (now - trouble > QUIET_MS || now - back > RECOVERY_MS + QUIET_MS) return Math.round(trouble - back);
    await pause(100);
  }
}

/** Of MongoDB itself an empty database is a loss; of a server that only speaks its protocol it may be the nature. */
async function keepsNothing({ collections: { workspaces } }: TestStack): Promise<boolean> {
  if ((await workspaces.estimatedDocumentCount()) > 0) return false;
  const build = await workspaces.db.db?.admin().buildInfo();
  return build !== undefined && !build.gitVersion;
}
