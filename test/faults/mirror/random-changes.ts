import type { ApiClient } from '../../support/client.ts';

/** Numbers from a seed, the same on every run. */
export function randomOf(seed: number) {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Things {
  emailIds: string[];
  labelIds: string[];
}

/** The emails of one bulk call. Each costs a unit, and a workspace has a thousand in a minute. */
const BULK = 5;

/** One change at random. Returns whether it was answered with success; a refusal is as good, because nobody relies on it. */
export async function changeAtRandom(
  api: ApiClient,
  things: Things,
  random: (below: number) => number,
): Promise<boolean> {
  const emailId = things.emailIds[random(things.emailIds.length)] ?? '';
  const labelId = things.labelIds[random(things.labelIds.length)] ?? '';
  const emailIds = Array.from({ length: BULK }, () => things.emailIds[random(things.emailIds.length)] ?? '');
  const calls = [
    () => api.patch(`/emails/${emailId}`, { isRead: random(2) === 0, isStarred: random(2) === 0 }),
    () => api.post(`/emails/${emailId}/labels/${labelId}`),
    () => api.delete(`/emails/${emailId}/labels/${labelId}`),
    () => api.post('/emails/bulk', { action: 'markRead', emailIds, isRead: random(2) === 0 }),
    () => api.post('/emails/bulk', { action: 'applyLabel', emailIds, labelId }),
    () => api.post('/emails/bulk', { action: 'removeLabel', emailIds, labelId }),
    () => (random(4) === 0 ? api.delete(`/emails/${emailId}`) : api.patch(`/emails/${emailId}`, { isStarred: true })),
    async () => {
      if (random(8) > 0) return undefined;
      const { body } = await api.post('/labels', { name: `L${random(1_000_000)}`, color: 'Red' });
      things.labelIds.push(body.label.id as string);
      return things.labelIds.length > 8 ? api.delete(`/labels/${things.labelIds.shift()}`) : undefined;
    },
  ];
  const answer = await calls[random(calls.length)]?.();
  return answer !== undefined && answer.status < 300;
}
