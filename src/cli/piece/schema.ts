/** `planwright piece schema`: the JSON Schema of piece files, for editors. */
import { parseArgs } from 'node:util';
import { pieceJsonSchema } from '../../domain/piece/json-schema.ts';
import type { Command } from '../command.ts';

export const schemaCommand: Command = {
  usage: 'piece schema',
  summary:
    'Prints the JSON Schema of piece files; also kept as schema/piece.schema.json.\nIn a piece: # yaml-language-server: $schema=PATH/piece.schema.json',
  async run(args) {
    parseArgs({ args });
    process.stdout.write(`${JSON.stringify(pieceJsonSchema(), null, 2)}\n`);
    return 0;
  },
};
