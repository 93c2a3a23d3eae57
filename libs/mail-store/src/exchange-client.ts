import mongoose from 'mongoose';

interface CommandExchange {
  /** The new address, for example with a new password. */
  uri: string;
  options: mongoose.mongo.MongoClientOptions;
  /** Resolves when the operations that ran during the exchange have ended. */
  drained: () => Promise<void>;
}

/**
 * Replaces the client of a connection under its models. New operations use the new client. Running operations end on the
 * old client, which is closed after that. A client that cannot log in rejects, and the old one stays.
 */
export async function exchangeClient(
  connection: mongoose.Connection,
  { uri, options, drained }: CommandExchange,
): Promise<mongoose.mongo.MongoClient> {
  const old = connection.getClient();
  const next = new mongoose.mongo.MongoClient(uri, options);
  try {
    await next.connect();
    // Connecting alone is done before anybody has asked for a password.
    await next.db().command({ ping: 1 });
  } catch (error) {
    await next.close();
    throw error;
  }
  // Mongoose would take the end of the old client for the end of the connection.
  old.removeAllListeners();
  // A connection accepts a client only while it has none. No operation can begin between these two lines.
  (connection as { readyState: mongoose.ConnectionStates }).readyState = mongoose.ConnectionStates.disconnected;
  connection.setClient(next as never);
  void drained().then(() => old.close().catch(() => undefined));
  return next;
}
