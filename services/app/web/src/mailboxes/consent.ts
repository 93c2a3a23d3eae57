import type { ConsentBegunAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';

const STORED_AS = 'postroom.consent';

/** The purpose of a consent. The tab keeps it while the person is at the provider. */
export interface ConsentRequest {
  workspaceId: string;
  /** The id of the provider. */
  provider: string;
  /** The address that the person has typed. */
  email?: string | undefined;
  /** The mailbox to connect again. */
  mailboxId?: string | undefined;
}

/** Leaves for the provider, which asks the person. */
export async function leaveForConsent(request: ConsentRequest): Promise<never> {
  const { workspaceId, ...body } = request;
  const { url } = await call<ConsentBegunAnswer>('POST', `/workspaces/${workspaceId}/mailbox-consents`, { body });
  sessionStorage.setItem(STORED_AS, JSON.stringify(request));
  window.location.assign(url);
  return new Promise(() => undefined);
}

/** Null in another tab than the one that left. */
export function storedConsentRequest(): ConsentRequest | null {
  const stored = sessionStorage.getItem(STORED_AS);
  return stored === null ? null : (JSON.parse(stored) as ConsentRequest);
}
