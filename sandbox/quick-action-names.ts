/**
 * Commands GitLab takes out of a text and carries out, by their names and aliases; other lines that start with a slash stay text.
 * From GitLab's page about quick actions, of every tier: issues, tasks, incidents, epics and merge requests.
 */
const COMMANDS =
  'add_child add_contacts add_email approve assign assign_reviewer award blocked_by blocks board_move cc checkin_reminder child_epic ' +
  'clear_custom_field clear_health_status clear_parent clear_weight clone close confidential convert_to_ticket copy_metadata ' +
  'create_merge_request custom_field done draft due duplicate epic estimate estimate_time health_status invite_email iteration label ' +
  'labels link lock merge milestone move open page parent_epic promote promote_to promote_to_incident publish q ' +
  'quarantine react ready reassign reassign_reviewer rebase relabel relate remove_child remove_child_epic remove_contacts ' +
  'remove_due_date remove_email remove_epic remove_estimate remove_iteration remove_label remove_milestone remove_parent ' +
  'remove_parent_epic remove_reviewer remove_time_estimate remove_time_spent remove_zoom reopen request_changes request_review reviewer ' +
  'run_pipeline set_parent severity ship spend spend_time spent start_review status submit_review subscribe tag target_branch timeline ' +
  'title todo type unapprove unassign unassign_reviewer unlabel unlink unlock unsubscribe update_status weight zoom';

/** Commands that leave a text in their place. */
export const SUBSTITUTIONS: Readonly<Record<string, string>> = { shrug: '¯\\＿(ツ)＿/¯', tableflip: '(╯°□°)╯︵ ┻━┻' };

export const COMMAND_NAMES: readonly string[] = COMMANDS.split(' ');
