import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { ListEmailsRequest, MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import { connect } from '@postroom/rpc/connect';
import type { CallContext } from '@postroom/rpc/call';
import { createServiceContext } from '@postroom/runtime/service-context';
import { service } from '../../services/mailbox-read/src/service.ts';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { emailDocument } from '../support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';

const workspaceId = 'wsp_test';
const text = 'this text does not contain the searched words '.repeat(2_000);
const EMAILS = 600;
const needle = (n: number) => ({ id: 'c', label: 'any_text', type: 'contains', value: `never there ${n}` });
/** Ten searches in long texts take many times the deadline, also with the few emails that one call reads. */
const filtersJson = JSON.stringify({ id: 'g', _or: Array.from({ length: 10 }, (_, n) => needle(n)) });

const whenWatched = whenDatabaseHas('maxTimeMS', 'killOp', 'expressions');

describe('a listing that takes too long', () => {
  let database: TestDatabase;
  const context = createServiceContext({ name: 'mailbox-read', logLevel: 'silent' });
  let list: (call: CallContext) => Promise<unknown>;

  beforeAll(async () => {
    database = await openTestDatabase();
    const one = emailDocument({ text });
    for (let at = 0; at < EMAILS; at += 20) {
      const names = Array.from({ length: 20 }, (_, n) => `${at + n}`);
      const emails = names.map((name) => ({ ...one, _id: name, sourceKey: name, messageKey: name, words: [] }));
      await database.collections.emails.collection.insertMany(emails as never[]);
    }
    const config = service.config.parse({
      MONGODB_URI: database.uri,
      HOST: '127.0.0.1',
      GRPC_PORT: '0',
      MAILBOX_SYNC_ADDR: '127.0.0.1:1',
    });
    const { port } = await service.open(config, context);
    const client = connect(MailboxReadServiceDefinition, `127.0.0.1:${port}`, { context });
    context.lifecycle.add('client', () => client.close());
    list = (call) => client.listEmails(ListEmailsRequest.create({ filtersJson, limit: 1 }), { workspaceId, ...call });
  }, 60_000);
  afterAll(async () => {
    await context.lifecycle.close();
    await database.close();
  });

  async function runningQueries(): Promise<number> {
    const admin = database.connection.getClient().db('admin');
    const { inprog } = await admin.command({ currentOp: 1 });
    const name = `${database.connection.name}.emails`;
    return (inprog as { ns?: string }[]).filter(({ ns }) => ns === name).length;
  }
  async function reaches(count: number): Promise<void> {
    while ((await runningQueries()) !== count) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  whenWatched('408 QUERY_TIMEOUT at its deadline, and nothing goes on in the database', async () => {
    await expect(list({ deadline: Date.now() + 60 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await reaches(0);
  });

  whenWatched('is cancelled in the database when the caller goes away', async () => {
    const leaving = new AbortController();
    const answer = list({ deadline: Date.now() + 60_000, signal: leaving.signal }).catch((error: unknown) => error);
    await reaches(1);
    leaving.abort();
    await answer;
    await reaches(0);
  });
});
