import { openKafka } from '@postroom/events/kafka-client';
import { silentLog } from '@postroom/runtime/log';

/** Takes away what an installation of its own, told by its prefix, has made on a broker that others use too. */
export async function removeTopics(brokers: readonly string[], prefix: string): Promise<void> {
  const admin = openKafka({ brokers, clientId: 'test' }, silentLog).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
  await admin.deleteTopics({ topics });
  await admin.disconnect();
}
