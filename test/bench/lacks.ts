import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchConfig } from './config.ts';

const BUILT = join(__dirname, '../../services/gateway/dist/main.js');

/** What a bench cannot do without on this machine, and how to provide it. */
export type Lacks = (config: BenchConfig) => string | undefined;

export const lacksKafka: Lacks = ({ kafkaBrokers }) => (kafkaBrokers ? undefined : 'a broker: set KAFKA_BROKERS');
export const lacksRedis: Lacks = ({ redisUrl }) => (redisUrl ? undefined : 'Redis: set REDIS_URL');
export const lacksMailServer: Lacks = ({ imapAddress, mailControl }) =>
  imapAddress && mailControl ? undefined : 'a mail server: set IMAP_ADDR and MAIL_CONTROL';
export const lacksBuild: Lacks = () => (existsSync(BUILT) ? undefined : 'the build: run "npm run build"');
