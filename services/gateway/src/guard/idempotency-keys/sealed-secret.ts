import type { CallContext } from '@postroom/rpc/call';
import type { Services } from '../../routes/table.ts';

type Vault = Pick<Services['webhookDelivery'], 'sealSecret' | 'openSecret'>;

/** The body of an answer for a record. The gateway has no keys of its own, so the service seals the secret. */
export function withSealedSecret(body: string, field: string, vault: Vault, context: CallContext): Promise<string> {
  return replaced(body, field, async (secret) => (await vault.sealSecret({ secret }, context)).sealed);
}

/** The body as it was answered first, byte for byte. */
export function withOpenSecret(body: string, field: string, vault: Vault, context: CallContext): Promise<string> {
  return replaced(body, field, async (sealed) => (await vault.openSecret({ sealed }, context)).secret);
}

async function replaced(body: string, field: string, change: (text: string) => Promise<string>): Promise<string> {
  const reply = JSON.parse(body) as Record<string, unknown>;
  const text = reply[field];
  // A refusal has no such field.
  if (typeof text !== 'string') return body;
  return JSON.stringify({ ...reply, [field]: await change(text) });
}
