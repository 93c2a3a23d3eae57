/** Facts about a provider that its server does not tell. */
interface Provider {
  /** Of how many connections single messages are read at a time, beside the one that synchronizes a mailbox. */
  onDemandConnections: number;
  /** Whether its reports of vanished messages are reliable. Otherwise the stored emails are compared. */
  isQresyncSound: boolean;
}

/** Most allow ten to fifteen connections of a mailbox, and people have programs of their own. */
const USUAL: Provider = { onDemandConnections: 3, isQresyncSound: true };

const KNOWN: Readonly<Record<string, Partial<Provider>>> = {
  // More than two at a time are answered with "authenticated but not connected".
  'outlook.office365.com': { onDemandConnections: 1 },
  'imap-mail.outlook.com': { onDemandConnections: 1 },
  // Five for all programs of a person.
  'imap.mail.yahoo.com': { onDemandConnections: 1 },
  'imap.aol.com': { onDemandConnections: 1 },
  // It reports existing messages as vanished.
  'imap.mail.me.com': { isQresyncSound: false },
};

export function providerAt(host: string): Provider {
  return { ...USUAL, ...KNOWN[host.toLowerCase()] };
}
