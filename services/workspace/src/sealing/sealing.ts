import type { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { secretOf } from '@postroom/secrets/secret';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { CredentialStore, SealedStore, Vault } from '../vault/vault.ts';

export interface SealDeps {
  vault: Vault;
  sealed: SealedStore;
  credentials: Pick<CredentialStore, 'seal' | 'rewrap'>;
}

export function secretHandlers(deps: SealDeps) {
  return {
    countSecrets: (_request, call) => count(call, deps),

    rotateSecrets: async (_request, call) => {
      await sealPlain(deps, call.signal);
      await rewrapAll(deps, call.signal);
      return count(call, deps);
    },
  } satisfies Partial<Handlers<WorkspaceOperatorServiceDefinition>>;
}

async function count(call: Call, { vault, sealed }: SealDeps) {
  const keys = (await vault.keys()).map(({ id }) => id);
  const counted = await sealed.everyCountByKey(call);
  return {
    newestKeyId: keys[0] ?? '',
    sealed: counted.map(({ _id, count: number }) => ({ keyId: _id, count: number, isKnown: keys.includes(_id) })),
    plainCount: await sealed.everyCountPlain(call),
    unreadableKeyIds: await vault.unreadable(),
  };
}

/** Passwords that an older version stored in the clear; how many there were. Safe to repeat and to run twice at once. */
async function sealPlain({ vault, sealed, credentials }: SealDeps, signal: AbortSignal): Promise<number> {
  let done = 0;
  for (let afterId = ''; ;) {
    const mailboxes = await sealed.everyPlain(afterId);
    for (const { _id, workspaceId, server } of mailboxes) {
      signal.throwIfAborted();
      const plain = server?.password ?? '';
      const held = { kind: 'password', password: secretOf(plain) } as const;
      const envelope = await vault.seal({ workspaceId, mailboxId: _id }, held);
      await credentials.seal(workspaceId, _id, plain, envelope);
      done += 1;
    }
    const last = mailboxes.at(-1);
    if (!last) return done;
    afterId = last._id;
  }
}

async function rewrapAll({ vault, sealed, credentials }: SealDeps, signal: AbortSignal): Promise<void> {
  const keys = await vault.keys();
  const known = new Set(keys.map(({ id }) => id));
  for (let afterId = ''; ;) {
    const mailboxes = await sealed.everyNotUnder(afterId, keys[0]?.id ?? '');
    for (const { _id, workspaceId, credentials: before } of mailboxes) {
      signal.throwIfAborted();
      // A secret with a missing key cannot be opened, and must not keep the others under their old keys. The count names it.
      if (!before || !known.has(before.keyId)) continue;
      const after = await vault.rewrap({ workspaceId, mailboxId: _id }, before);
      await credentials.rewrap(workspaceId, _id, after, before);
    }
    const last = mailboxes.at(-1);
    if (!last) return;
    afterId = last._id;
  }
}

/** Runs once in the background, so that nobody waits for it. The next start or a rotation seals the rest. */
export function startSealing(deps: SealDeps, { lifecycle, log }: ServiceContext): void {
  const stopped = new AbortController();
  const work = sealPlain(deps, stopped.signal).then(
    (count) => count > 0 && log.info({ mailboxes: count }, 'passwords that stood in the clear are sealed'),
    (error: unknown) => stopped.signal.aborted || log.error({ err: error }, 'passwords in the clear cannot be sealed'),
  );
  lifecycle.add('sealing', () => {
    stopped.abort(new Error('closing'));
    return work;
  });
}
