import { chatCompletions } from '../../helpers/model-servers/chat-completions.ts';
import { describeProvider } from './suite.ts';

describeProvider('compatible', chatCompletions);
