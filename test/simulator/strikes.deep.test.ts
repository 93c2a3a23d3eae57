import { describe, expect, it } from '@jest/globals';
import { run, type WorkloadName } from './run.ts';
import { commandOf } from './shrink.ts';
import { type FaultName, faultNames } from './world/faults.ts';

const EMAILS = 6;
/** Of the messages of `sending`, so many that its mail server is asked often enough. */
const MESSAGES = 8;
/** They say how a world is, and do not strike. */
const STATES: readonly FaultName[] = [
  'order',
  'clocks',
  'poison',
  'outage',
  'closedFolder',
  'renumbered',
  'fullDisk',
  'sickEndpoint',
  'pauses',
];
const OF_MODEL: readonly FaultName[] = ['slowModel', 'modelFailures'];
const OF_EVENTS: readonly FaultName[] = ['lostEvents', 'repeatedEvents'];
const OF_PUBLISHING: readonly FaultName[] = ['refusedPublishes', 'lostPublishAnswers'];
const OF_IMAP: readonly FaultName[] = ['lostImapConnections'];
const OF_LONG_STALLS: readonly FaultName[] = ['stallsInWork'];
const OF_ENDPOINTS: readonly FaultName[] = ['endpointFailures', 'lostEndpointAnswers'];
const OF_SMTP: readonly FaultName[] = [
  'smtpUnavailable',
  'smtpRefusals',
  'lostSmtpAnswers',
  'deferredRecipients',
  'slowSmtpAnswers',
];

describe.each<[WorkloadName, number, number, readonly FaultName[]]>([
  ['arriving', 20, EMAILS, [...OF_SMTP, ...OF_IMAP, ...OF_ENDPOINTS]],
  ['calls', 20, EMAILS, [...OF_MODEL, ...OF_EVENTS, ...OF_PUBLISHING, ...OF_SMTP, ...OF_IMAP, ...OF_ENDPOINTS]],
  ['feed', 20, EMAILS, [...OF_MODEL, 'lostEvents', ...OF_SMTP, ...OF_IMAP, ...OF_ENDPOINTS]],
  ['ingest', 30, EMAILS, [...OF_MODEL, ...OF_EVENTS, ...OF_SMTP, ...OF_IMAP, ...OF_ENDPOINTS]],
  ['rules', 40, EMAILS, [...OF_SMTP, ...OF_IMAP, ...OF_ENDPOINTS]],
  ['sending', 40, MESSAGES, [...OF_MODEL, ...OF_EVENTS, ...OF_IMAP, ...OF_ENDPOINTS]],
  ['sync', 20, EMAILS, [...OF_MODEL, 'lostEvents', ...OF_SMTP, ...OF_LONG_STALLS, ...OF_ENDPOINTS]],
  ['webhooks', 20, EMAILS, [...OF_MODEL, ...OF_EVENTS, ...OF_PUBLISHING, ...OF_SMTP, ...OF_IMAP]],
])('%s: every promise holds, whatever a seed breaks', (workload, seeds, emails, others) => {
  it(`in the first seeds, of which ${seeds} are enough for every fault to strike`, async () => {
    const wanted = faultNames.filter((name) => ![...STATES, ...others].includes(name));
    const struck = new Set<string>();
    for (let seed = 1; seed <= seeds && struck.size < wanted.length; seed += 1) {
      const options = { workload, emails };
      const { broken, strikes } = await run(seed, options);
      for (const name of Object.keys(strikes)) struck.add(name);
      expect({ command: commandOf(seed, options), broken }).toEqual({ command: commandOf(seed, options), broken: {} });
    }
    expect([...struck].toSorted()).toEqual(wanted.toSorted());
  }, 300_000);
});
