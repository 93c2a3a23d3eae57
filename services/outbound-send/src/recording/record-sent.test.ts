import { expect, it } from '@jest/globals';
import type { Deps } from '../deps.ts';
import { recording } from './record-sent.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';
import type { ShownState } from '../sending/send-deps.ts';

const now = new Date(0);

/** The line that the log of a rule has of a forward. */
async function lineOf(shown: Pick<ShownState, 'status' | 'reason'>): Promise<object | undefined> {
  const lines: object[] = [];
  const labelRule = { recordForward: async (line: object) => lines.push(line) };
  const { show } = recording({ labelRule } as unknown as Deps & { mailReader: never });
  const about = { ruleId: 'afr_1', sourceEmailId: 'eml_1', mode: 'invisible', attempts: 3 } as const;
  const send = { ...memorySends().make('forward', now, now), ...about };
  await show(send, { sendAt: null, ...shown });
  return lines[0];
}

it.each([
  [{ status: 'sent', reason: null }, { status: 'sent' }],
  [
    { status: 'pending', reason: '451 try later' },
    { status: 'failed', reason: '451 try later; it is tried again' },
  ],
  [
    { status: 'failed', reason: '550 no such user' },
    { status: 'failed', reason: '550 no such user' },
  ],
  [
    { status: 'canceled', reason: 'the rule is off' },
    { status: 'skipped', reason: 'the rule is off' },
  ],
] as const)('the log of a rule is told of %j as %j, with its attempts', async (shown, told) => {
  const line = { ruleId: 'afr_1', emailId: 'eml_1', forwardTo: 'bob@other.example', mode: 'invisible', attempts: 3 };
  expect(await lineOf(shown)).toEqual({ ...line, ...told });
});

it('an attempt that only begins is not told to it', async () => {
  expect(await lineOf({ status: 'sending', reason: null })).toBeUndefined();
});

it('a long answer of a mail server is one line there', async () => {
  const reason = `550-${'no\r\n'.repeat(500)}`;
  const line = (await lineOf({ status: 'failed', reason })) as { reason: string };
  expect(line.reason).toMatch(/^550-no no /);
  expect([line.reason.length, line.reason.includes('\n')]).toEqual([300, false]);
});
