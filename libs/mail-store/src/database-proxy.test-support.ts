import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Passes everything on to the server of an address, until it is told otherwise. */
export async function openDatabaseProxy(databaseUri: string) {
  const uri = new URL(databaseUri);
  const to = Number(uri.port);
  const pairs = new Map<Socket, Socket>();
  let isPassing = true;
  const server = createServer((client) => {
    const database = connect(to, '127.0.0.1');
    pairs.set(client, database);
    client.on('error', () => undefined).on('close', () => (pairs.delete(client), database.destroy()));
    database.on('error', () => undefined).on('close', () => client.destroy());
    database.pipe(client);
    if (isPassing) client.pipe(database);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const holdAll = () => {
    for (const client of pairs.keys()) client.unpipe().pause();
  };
  uri.port = String((server.address() as AddressInfo).port);
  uri.search = '?directConnection=true';
  return {
    uri: uri.href,
    /** Takes nothing more from its clients, those of today and of tomorrow. */
    stopReading: () => {
      isPassing = false;
      holdAll();
    },
    /** Takes nothing more from its clients of today. */
    holdAll,
    /** Without an error, as a process that ends does. */
    endAll: () => {
      isPassing = true;
      for (const client of pairs.keys()) client.destroy();
    },
    /** The connections of today lead nowhere, and nothing says so. New ones are as good as ever. */
    loseAll: () => {
      for (const [client, database] of pairs) {
        client.unpipe().resume();
        database.unpipe().resume();
      }
    },
    close: () => {
      for (const client of pairs.keys()) client.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
