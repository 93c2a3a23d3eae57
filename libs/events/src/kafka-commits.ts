import type { EachBatchPayload } from 'kafkajs';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { resultWithin } from '@postroom/runtime/within';
import type { Offsets } from './kafka-offsets.ts';

/** The part of a payload that speaks to the broker: it is as good for every partition as for its own. */
type Voice = Pick<EachBatchPayload, 'batch' | 'heartbeat' | 'commitOffsetsIfNecessary'>;

interface CommitDeps {
  clock: Clock;
  log: Log;
  partitions: ReadonlyMap<number, { offsets: Offsets }>;
  /** None once others have the partitions. */
  voice: () => Voice | undefined;
}

interface Commits {
  soon(): void;
  /** Before the partitions are given away. A broker that is unavailable is not waited for: what is done comes again then. */
  last(): Promise<void>;
}

const COMMIT_MS = 200;
const LAST_WITHIN_MS = 5_000;

/** One commit for all that was done within a moment, of all partitions. */
export function createCommits({ clock, log, partitions, voice }: CommitDeps): Commits {
  let timer: NodeJS.Timeout | undefined;
  const due = () =>
    [...partitions].flatMap(([partition, { offsets }]) => {
      const offset = offsets.due();
      return offset === undefined ? [] : [{ partition, offset, offsets }];
    });

  const commit = async (): Promise<void> => {
    const speaker = voice();
    const positions = due();
    if (!speaker || positions.length === 0) return;
    const said = positions.map(({ partition, offset }) => ({ partition, offset }));
    try {
      await speaker.commitOffsetsIfNecessary({ topics: [{ topic: speaker.batch.topic, partitions: said }] });
      for (const { offsets, offset } of positions) offsets.note(offset);
    } catch (error) {
      // Asked again soon; a member that the group has removed learns it by its heartbeat.
      log.debug({ err: error }, 'commit failed');
    }
  };

  const soon = (): void => {
    timer ??= setTimeout(() => {
      void commit().then(() => {
        timer = undefined;
        if (due().length > 0) soon();
      });
    }, COMMIT_MS);
  };
  return {
    soon,
    last: async () => {
      clearTimeout(timer);
      timer = undefined;
      await resultWithin({ ms: LAST_WITHIN_MS, clock }, commit());
    },
  };
}

const lost = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'FENCED_INSTANCE_ID']);

/** True when the broker says that this member is none any more. Otherwise it is one, or the broker cannot be asked. */
export async function isLost(voice: Voice, log: Log): Promise<boolean> {
  try {
    await voice.heartbeat();
    return false;
  } catch (error) {
    log.debug({ err: error }, 'heartbeat failed');
    return lost.has((error as { type?: string }).type ?? '');
  }
}
