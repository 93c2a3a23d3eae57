import type { SendDocument, SendState } from '@postroom/mail-store/documents/send';
import { storedName } from '@postroom/mail-store/stored-names';
import { UNDER_WAY } from '../../../services/outbound-send/src/stored-sends/send-states.ts';
import type { Document } from '../world/driver-collection.ts';
import { FARTHEST_CLOCK_MS, type Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

type Fields = Partial<Pick<SendDocument, 'state' | 'nextAt'>>;

interface Seen {
  epoch: number;
  state: SendState;
  holder?: Process | undefined;
  until: number;
}

export interface Holders {
  /** Sends that two processes held at once, or that a process changed which did not hold them. */
  heldTwice: readonly string[];
  /** By send, the processes whose worker took it up after its call had ended, before anybody could have the message. */
  takenUpLater: ReadonlyMap<string, ReadonlySet<string>>;
  attempts: readonly Attempt[];
}

interface Attempt {
  sendId: string;
  by: string;
  at: number;
  /** It was taken up then, and is looked at behind that. */
  takenUpAt: number | undefined;
}

/** The clocks of two pods differ by so much at the most. */
const BETWEEN_CLOCKS_MS = 2 * FARTHEST_CLOCK_MS;
const NOT_BEGUN: readonly SendState[] = ['scheduled', 'connecting'];

/** Sees each claim of a send, and each change of it, at the moment of its effect. */
export function watchHolders(world: World): Holders {
  const sends = new Map<string, Seen>();
  const heldTwice: string[] = [];
  const takenUpLater = new Map<string, Set<string>>();
  const attempts: Attempt[] = [];
  const claims = new Map<string, number>();
  const isHeld = ({ holder }: Seen) => holder !== undefined && holder.isAlive;

  const insert = ({ _id, kind, state, nextAt }: SendDocument, by: Process) => {
    const holder = kind === 'send' && state === 'scheduled' ? by : undefined;
    sends.set(_id, { epoch: 0, state, holder, until: nextAt?.getTime() ?? 0 });
  };
  const claim = (query: Document, { _id, epoch, state, nextAt, kind }: SendDocument, by: Process) => {
    claims.set(`${by.name} ${_id}`, world.now());
    const before = sends.get(_id);
    const isDue = query['_id'] === undefined;
    if (before && epoch <= before.epoch) heldTwice.push(`two holders of ${_id} have the number ${epoch}`);
    if (before && isDue && isHeld(before) && before.until > world.now() + BETWEEN_CLOCKS_MS)
      heldTwice.push(`${_id} was claimed ${before.until - world.now()} ms before the end of its lease`);
    const isOver = !isDue && !NOT_BEGUN.includes(state);
    sends.set(_id, { epoch, state, holder: isOver ? undefined : by, until: nextAt?.getTime() ?? 0 });
    if (!isDue) takenUpLater.delete(_id);
    else if (kind === 'send' && NOT_BEGUN.includes(state))
      takenUpLater.set(_id, (takenUpLater.get(_id) ?? new Set()).add(by.name));
  };
  const change = (_id: string, { state, nextAt }: Fields, by: Process) => {
    const seen = sends.get(_id);
    if (!seen) return;
    if (state === 'connecting')
      attempts.push({ sendId: _id, by: by.name, at: world.now(), takenUpAt: claims.get(`${by.name} ${_id}`) });
    // A repeated call may make a send due again of which nobody knows what became, or which is not stored.
    const isDueAgain = state === undefined && ['unknown', 'accepted'].includes(seen.state);
    // A person may stop what a worker has claimed and not begun.
    const isStopped = state === 'canceled' && seen.state === 'scheduled';
    if (isHeld(seen) && seen.holder !== by && !isDueAgain && !isStopped)
      heldTwice.push(`${by.name} changed ${_id}, which ${seen.holder?.name} held`);
    if (state !== undefined) seen.state = state;
    if (nextAt !== undefined) seen.until = nextAt?.getTime() ?? 0;
    const isPutBack = state === undefined && nextAt && nextAt.getTime() <= by.context.clock.now();
    if (isPutBack || (state !== undefined && !UNDER_WAY.includes(state))) seen.holder = undefined;
  };

  world.database.onWrite(async ({ collection, command, body, reply }, by) => {
    if (collection !== storedName('sends')) return;
    if (command === 'insert' && reply['writeErrors'] === undefined)
      for (const send of body['documents'] as SendDocument[]) insert(send, by);
    if (command === 'findAndModify' && reply['value'])
      claim(body['query'] as Document, reply['value'] as SendDocument, by);
    if (command !== 'update' || Number(reply['n']) !== 1) return;
    const [{ q, u }] = body['updates'] as [{ q: { _id: string }; u: { $set?: Fields } }];
    change(q._id, u.$set ?? {}, by);
  });
  return { heldTwice, takenUpLater, attempts };
}
