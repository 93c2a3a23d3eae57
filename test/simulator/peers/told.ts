import { ApiError } from '@postroom/errors/api-error';
import { isPeersAnswer } from '@postroom/errors/grpc-status';
import type { Process } from '../world/process.ts';
import type { Deed, Said } from './drafts.ts';

const AGAIN_MS = 1_000;
/** A person gives up then. */
const MOST_CALLS = 12;
/** Of two calls at once, one does not know what the other does. */
const MOST_CONFLICTS = 3;
/** The draft is not as the caller thinks. */
const DECLINED = ['DRAFT_NOT_FOUND', 'NOT_FOUND', 'NO_TRASH_FOLDER', 'VALIDATION_FAILED', 'MAILBOX_INACTIVE'];
const NOT_SENT = ['INTERNAL_ERROR', 'OUTBOUND_SEND_NOT_ALLOWED'];
const SENDS: readonly Deed['act'][] = ['an agent sends', 'an agent asks', 'a person sends'];

export async function untilDone<T>({ context }: Process, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await context.clock.sleep(AGAIN_MS);
    }
  }
}

/** The email was removed meanwhile, or the label deleted. */
const GONE = ['NOT_FOUND', 'EMAIL_NOT_FOUND', 'LABEL_NOT_FOUND'];

export async function untilGone(process: Process, ask: () => Promise<unknown>): Promise<void> {
  await untilDone(process, () =>
    ask().catch((error: unknown) => {
      if (!(error instanceof ApiError) || !isPeersAnswer(error) || !GONE.includes(error.code)) throw error;
    }),
  );
}

/** Calls again until an answer says something final. */
export async function askUntilTold({ context, world }: Process, deed: Deed, ask: () => Promise<Said>): Promise<void> {
  let conflicts = 0;
  for (let left = MOST_CALLS; left > 0 && deed.said === undefined; left -= 1) {
    try {
      deed.said = await ask();
    } catch (error) {
      const said = saidBy(error, deed);
      const isConflict = said === 'declined' && (error as ApiError).code === 'CONFLICT';
      if (isConflict) conflicts += 1;
      if (said !== undefined && (!isConflict || conflicts === MOST_CONFLICTS)) deed.said = said;
      else await context.clock.sleep(AGAIN_MS);
    }
  }
  deed.said ??= 'left';
  deed.saidAt = world.now();
}

/** Undefined where the answer says nothing final. */
function saidBy(error: unknown, deed: Deed): Said | undefined {
  if (!(error instanceof ApiError) || !isPeersAnswer(error)) return undefined;
  const { code, details } = error;
  if (code === 'CONFLICT' && typeof details?.['draftId'] === 'string') {
    deed.newDraftId = details['draftId'];
    return 'kept apart';
  }
  if (code === 'CONFLICT' || DECLINED.includes(code)) return 'declined';
  return SENDS.includes(deed.act) && NOT_SENT.includes(code) ? 'not sent' : undefined;
}
