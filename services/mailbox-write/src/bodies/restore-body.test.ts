import { expect, it } from '@jest/globals';
import type { Call } from '@postroom/rpc/call';
import { createRestoreBodyHandler } from './restore-body.ts';

it('a message is not taken apart for a caller who has given up: asked for again, they would be more with each time', async () => {
  const { restoreBody } = createRestoreBodyHandler({
    stores: { bodies: { bodiless: async () => ({ _id: 'eml_1', mailboxId: 'mbx_1', messageId: '<a@x>' }) } },
    pool: { parse: async (_raw: Uint8Array, _owner: string, signal?: AbortSignal) => signal?.throwIfAborted() },
    context: {},
  } as never);
  const call = { workspaceId: 'wsp_1', signal: AbortSignal.abort(new Error('given up')) } as Call;
  await expect(restoreBody({ emailId: 'eml_1', raw: Buffer.alloc(0) }, call)).rejects.toThrow('given up');
});
