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

/** One change at random. An answer that does not come, or a refusal, is as good as a change: nobody relies on it. */
export async function changeAtRandom(api: ApiClient, things: Things, random: (below: number) => number): Promise<void> {
  const emailId = things.emailIds[random(things.emailIds.length)] ?? '';
  const labelId = things.labelIds[random(things.labelIds.length)] ?? '';
  const emailIds = Array.from({ length: 20 }, () => things.emailIds[random(things.emailIds.length)] ?? '');
  const calls = [
    () => api.patch(`/emails/${emailId}`, { isRead: random(2) === 0, isStarred: random(2) === 0 }),
    () => api.post(`/emails/${emailId}/labels/${labelId}`),
    () => api.delete(`/emails/${emailId}/labels/${labelId}`),
    () => api.post('/emails/bulk', { action: 'markRead', emailIds, isRead: random(2) === 0 }),
    () => api.post('/emails/bulk', { action: 'applyLabel', emailIds, labelId }),
    () => api.post('/emails/bulk', { action: 'removeLabel', emailIds, labelId }),
    () => (random(4) === 0 ? api.delete(`/emails/${emailId}`) : api.patch(`/emails/${emailId}`, { isStarred: true })),
    async () => {
      if (random(8) > 0) return;
      const { body } = await api.post('/labels', { name: `L${random(1_000_000)}`, color: 'Red' });
      things.labelIds.push(body.label.id as string);
      if (things.labelIds.length > 8) await api.delete(`/labels/${things.labelIds.shift()}`);
    },
  ];
  await calls[random(calls.length)]?.();
}
