import type { Bus } from '@postroom/events/bus';
import { decodeEvent } from '@postroom/events/event';
import { memoryBus } from '@postroom/events/memory-bus';
import { openBus } from '@postroom/events/open-bus';
import { openDevelopmentMailServer } from '@postroom/local/development-mail-server';
import { openStack } from '@postroom/local/stack';
import type { Collections } from '@postroom/mail-store/collections';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition, WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { createTransport } from 'nodemailer';
import { apiClient } from '../support/client.ts';
import { startPipelineProcesses } from '../support/pipeline-processes.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { openBenchDatabase } from './bench-database.ts';
import type { BenchConfig } from './config.ts';
import { ownMicros } from './own-micros.ts';

export interface Pipeline {
  /** Name of the bus, for the report. */
  bus: string;
  /** Sends an email over SMTP, and resolves when the server accepts it. */
  send(subject: string): Promise<void>;
  /** The time when the email.classified event of each email arrived. */
  arrived: ReadonlyMap<string, number>;
  /** Processor microseconds used so far, by service. */
  micros(): Promise<Map<string, number>>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const context = createServiceContext({ name: 'bench', logLevel: 'silent' });

/** On Kafka each service in a process of its own; without it all of them in this one. */
export async function openPipeline(config: BenchConfig): Promise<Pipeline> {
  const database = await openBenchDatabase(config, 0, () => undefined);
  const services = config.kafkaBrokers
    ? await inProcesses(database.uri, config.kafkaBrokers)
    : await inThisProcess(database.uri);
  const { addresses, baseUrl, operatorToken: token, bus } = services;
  const mailboxWrite = connect(MailboxWriteServiceDefinition, addresses.MAILBOX_WRITE_ADDR, { context });
  const operators = connect(WorkspaceOperatorServiceDefinition, addresses.WORKSPACE_OPERATOR_ADDR, { context, token });
  const client = (key?: string) => apiClient(baseUrl, key);
  const workspace = await createTestWorkspace({ workspaces: operators, mailboxWrite, client });
  const mailbox = await workspace.connectMailbox();
  await workspace.send.post('/ai-label-rules', { name: 'Bills', color: 'Pink', condition: 'an invoice' });

  const workspaces = connect(WorkspaceServiceDefinition, addresses.WORKSPACE_ADDR, { context });
  const server = await openDevelopmentMailServer({ host: HOST, port: 0, workspaces, mailboxWrite, log: context.log });
  const transport = createTransport({ host: HOST, port: server.port, ignoreTLS: true, pool: true, maxConnections: 20 });
  const arrived = new Map<string, number>();
  const listener = await hear(bus, database.collections, arrived);
  return {
    bus: config.kafkaBrokers ? 'Kafka' : 'the bus of one process',
    arrived,
    send: async (subject) => {
      const letter = {
        from: 'ann@near.example',
        to: mailbox.email,
        subject,
        text: 'Your invoice is here.\n'.repeat(20),
      };
      await transport.sendMail(letter);
    },
    micros: async () => new Map([...(await services.micros()), ['database', await database.micros()]]),
    close: async () => {
      transport.close();
      await listener.close();
      await server.close();
      await services.close();
      await database.close();
    },
  };
}

/** The event names the email, and the email its letter: read behind the clock, so that reading costs no time. */
async function hear(bus: Bus, { emails }: Collections, arrived: Map<string, number>) {
  return bus.subscribe({
    group: 'bench',
    topic: 'email.classified',
    concurrency: 64,
    orderBy: ({ id }) => id,
    onMessage: async (message) => {
      const at = performance.now();
      const { workspaceId, data } = decodeEvent('email.classified', message);
      const email = await emails.findOne({ workspaceId, _id: data.emailId }, { subject: 1 }).lean();
      if (email && !arrived.has(email.subject)) arrived.set(email.subject, at);
    },
  });
}

async function inProcesses(mongodbUri: string, brokers: string[]) {
  const pipeline = await startPipelineProcesses({ mongodbUri, kafkaBrokers: brokers.join(','), variables: {} });
  const bus = await openBus({ brokers, prefix: pipeline.prefix, context });
  const { addresses, operatorToken, processes } = pipeline;
  return {
    addresses,
    baseUrl: `http://${addresses.GATEWAY_ADDR}/api/v1`,
    operatorToken,
    bus,
    micros: async () =>
      new Map(
        await Promise.all(
          [...processes].map(async ([name, { page }]) => {
            const seconds = /^process_cpu_seconds_total\S* (\S+)/m.exec((await page('/metrics')).text)?.[1];
            return [name, Number(seconds) * 1e6] as const;
          }),
        ),
      ),
    close: async () => {
      await bus.close();
      await pipeline.close();
    },
  };
}

async function inThisProcess(mongodbUri: string) {
  const bus = memoryBus({ clock: context.clock, log: context.log });
  const stack = await openStack({ mongodbUri, bus, logLevel: 'silent' });
  const { addresses, baseUrl, operatorToken } = stack;
  return {
    addresses,
    baseUrl,
    operatorToken,
    bus,
    micros: async () => new Map([['all services and the sender', ownMicros()]]),
    close: async () => {
      await stack.close();
      await bus.close();
    },
  };
}
