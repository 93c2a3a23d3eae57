import { describe, expect, it } from '@jest/globals';
import { createLog } from './log.ts';
import { scrub } from './redaction.ts';

function logging() {
  const lines: string[] = [];
  const log = createLog('test', 'debug', { write: (line: string) => void lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

const canaries = ['s3cr3t-canary', 'canary@example.com', 'Canary subject', 'Canary body'];

describe('a log line', () => {
  it('says what happened, by whom and for which request', () => {
    const { log, last } = logging();
    log
      .child({ requestId: 'req_1', workspaceId: 'wsp_1' })
      .info({ route: '/emails', status: 200, seconds: 0.01 }, 'answered');
    expect(last()).toMatchObject({
      level: 'info',
      service: 'test',
      requestId: 'req_1',
      workspaceId: 'wsp_1',
      route: '/emails',
      status: 200,
      msg: 'answered',
    });
  });

  it.each([
    ['a field', { subject: canaries[2], body: canaries[3], authorization: `Bearer ${canaries[0]}` }],
    ['a field deep inside', { email: { headers: { From: canaries[1] } }, list: [{ to: [{ email: canaries[1] }] }] }],
    [
      'a field in another spelling',
      { 'api-key': canaries[0], apiKey: canaries[0], API_KEY: canaries[0], Reply_To: canaries[1] },
    ],
    ['the text of a harmless field', { reason: `550 no such user <${canaries[1]}>` }],
    ['bytes', { chunk: Buffer.from(canaries[3] as string) }],
    ['an error', { err: new Error(`refused ${canaries[1]}`, { cause: new Error(`again ${canaries[1]}`) }) }],
    [
      'the fields of an error',
      { err: Object.assign(new Error('no'), { envelope: { to: canaries[1] }, body: canaries[3] }) },
    ],
    ['a duplicate as MongoDB reports it', { err: new Error(`E11000 dup key: { name: "${canaries[2]}" }`) }],
    ['a duplicate whose report was cut', { err: new Error(`E11000 dup key: { name: "${canaries[2]}`) }],
    ['an error under another name', { failure: new Error(`refused ${canaries[1]}`) }],
  ])('leaves out what is private in %s', (_where, fields) => {
    const { log, lines } = logging();
    log.error(fields, 'failed');
    log.child(fields).error('failed');
    expect(lines).toHaveLength(2);
    for (const canary of canaries) expect(lines.join()).not.toContain(canary);
  });

  it('leaves out what is private in its message and in an error that is all of it', () => {
    const { log, lines } = logging();
    log.info(`sent to ${canaries[1]}`);
    log.info('sent to %s', canaries[1]);
    log.error(new Error(`refused ${canaries[1]}`));
    expect(lines).toHaveLength(3);
    for (const canary of canaries) expect(lines.join()).not.toContain(canary);
  });

  it('keeps the kind, the code and the place of an error, and of its cause', () => {
    const { log, last } = logging();
    const cause = Object.assign(new Error('connection reset'), { code: 'ECONNRESET' });
    log.error({ err: new TypeError('no answer', { cause }) }, 'failed');
    expect(last()).toMatchObject({
      err: { type: 'TypeError', message: 'no answer', cause: { code: 'ECONNRESET', message: 'connection reset' } },
    });
    expect(JSON.stringify(last())).toContain('redaction.test.ts');
  });

  it('survives what refers to itself', () => {
    const { log, lines } = logging();
    const loop: Record<string, unknown> = { id: 1 };
    loop.self = loop;
    log.info({ loop }, 'round');
    expect(lines).toHaveLength(1);
  });
});

describe('scrub', () => {
  it('leaves paths and versions in a stack alone', () => {
    const line = '    at read (/srv/node_modules/@grpc/grpc-js/build/src/call.js:12:3)';
    expect(scrub(line)).toBe(line);
  });

  it('cuts a text of megabytes before it looks at it', () => {
    expect(scrub('x'.repeat(5_000_000)).length).toBeLessThan(5_000);
  });
});
